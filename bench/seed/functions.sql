-- What the generated registers are drawn with. The same row number always draws the same value, in any order of rows.
CREATE SCHEMA IF NOT EXISTS bench;

-- A whole number from 0 to below - 1 for row n; `salt` tells the draws of one row apart.
CREATE OR REPLACE FUNCTION bench.draw(n bigint, salt bigint, below bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT (hashint8extended(n, salt) & 1152921504606846975) % below $$;

-- As draw, but small numbers come far more often than great ones: words and places of a register are not equally frequent.
CREATE OR REPLACE FUNCTION bench.skewed(n bigint, salt bigint, below bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT trunc(power(bench.draw(n, salt, 1000000) / 1e6::float8, 3) * below)::bigint $$;

CREATE OR REPLACE FUNCTION bench.pick(options text[], place bigint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT options[1 + place] $$;

-- One of 64,000 invented words: two or three syllables. Call it and common_word with columns alone: with a long
-- expression in the place of a parameter they are not inlined, and cost ten times as much.
CREATE OR REPLACE FUNCTION bench.syllable(place bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT bench.pick('{ka,ra,ni,ta,mo,lu,shi,va,den,pra,gol,mer,sun,tek,no,bri,zen,tal,mis,or,sai,bha,gan,dha,lak,sri,vin,jay,man,del,kri,pur,nag,rit,som,tar,um,vel,yas,chi}'::text[], place % 40)
$$;
CREATE OR REPLACE FUNCTION bench.rare_word(place bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT bench.syllable(place) || bench.syllable(place / 40)
         || CASE WHEN place >= 1600 THEN bench.syllable(place / 1600) ELSE '' END
$$;

CREATE OR REPLACE FUNCTION bench.common_word(place bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT bench.pick('{india,enterprises,traders,industries,services,infra,solutions,technologies,global,exports,agro,foods,pharma,textiles,steel,power,energy,logistics,motors,builders,developers,finance,consultants,systems,engineering,electronics,chemicals,plastics,jewellers,hotels,travels,media,education,healthcare,retail,software,infotech,constructions,estates,marketing,associates,co,99,it}'::text[], place)
$$;

-- The search form of row n's name from its drawn words: letters only, so that it equals registry.name_key of the name.
CREATE OR REPLACE FUNCTION bench.name_words(n bigint, first bigint, second bigint, third bigint, fourth bigint)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT bench.rare_word(first)
         || CASE WHEN n % 5 < 3 THEN ' ' || bench.rare_word(second) ELSE '' END
         || CASE WHEN n % 7 < 6 THEN ' ' || bench.common_word(third) ELSE '' END
         || CASE WHEN n % 8 < 1 THEN ' ' || bench.common_word(fourth) ELSE '' END
$$;

CREATE OR REPLACE FUNCTION bench.state(n bigint) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT bench.skewed(n, 8, 16)::integer
$$;
CREATE OR REPLACE FUNCTION bench.state_name(place integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT bench.pick('{Maharashtra,Delhi,Karnataka,"Tamil Nadu",Gujarat,"West Bengal",Telangana,"Uttar Pradesh",
    Haryana,Rajasthan,Kerala,"Madhya Pradesh",Punjab,Bihar,Odisha,Goa}'::text[], place)
$$;
-- Ten districts per state, the first far more frequent than the last.
CREATE OR REPLACE FUNCTION bench.district(n bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT initcap(bench.syllable(bench.state(n)) || bench.syllable(16 + bench.skewed(n, 9, 10)) || 'pur')
$$;
CREATE OR REPLACE FUNCTION bench.pincode(n bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ((bench.state(n) % 8 + 1) * 100000 + bench.state(n) * 1000 + bench.skewed(n, 10, 400))::text
$$;
CREATE OR REPLACE FUNCTION bench.day(n bigint) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date '2026-10-31' - bench.skewed(n, 11, 12000)::integer
$$;
