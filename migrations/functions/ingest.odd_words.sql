-- Words of places that are not written with one capital, by the spelling that initcap gives them. Initials keep their capitals where they name a
-- place: districts and territories; layouts and localities that are named after people; estates, by the corporations that let them; and Roman
-- numbers. Only those are listed that are no word besides, as most abbreviations of addresses are words without their vowels (Ngr, Mkt). The others
-- (0) are small within a name: and, of, the s behind an apostrophe.
CREATE OR REPLACE FUNCTION ingest.odd_words() RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '{"And":0,"Of":0,"S":0,
    "Ntr":1,"Ysr":1,"Spsr":1,"Psr":1,"Asr":1,"Sas":1,"Sbs":1,"Nct":1,"Ncr":1,"Ut":1,"Btr":1,
    "Mgr":1,"Hsr":1,"Btm":1,"Rmv":1,"Hrbr":1,"Hbr":1,"Jp":1,"Kr":1,"Rt":1,"Rk":1,"Mg":1,"Cr":1,"Pj":1,"Vv":1,"Kk":1,"Ssr":1,"Dlf":1,"Bkc":1,"Cbd":1,
    "Midc":1,"Gidc":1,"Cidco":1,"Sidco":1,"Riico":1,"Kiadb":1,"Upsida":1,"Upsidc":1,"Hsiidc":1,"Apiic":1,"Tsiic":1,"Sipcot":1,
    "Bhel":1,"Hmt":1,"Iit":1,"Nit":1,"Iim":1,"Sez":1,"Epz":1,
    "Ii":1,"Iii":1,"Iv":1,"Vi":1,"Vii":1,"Viii":1,"Ix":1,"Xi":1,"Xii":1,"Xiii":1,"Xiv":1,"Xv":1,"Xvi":1,"Xvii":1,"Xviii":1,"Xix":1,"Xx":1}'::jsonb
$$;
