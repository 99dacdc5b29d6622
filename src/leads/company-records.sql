-- $1 ids of order items. One record per company item: the company, its current directors, its GST registrations and
-- its contacts.
SELECT item.item_id AS "itemId", item.position, item.type, item.identifier, company.last_run_id AS "registryRunId",
  jsonb_build_object(
    'company', jsonb_build_object(/* fields */),
    'directors', board.directors,
    'gst', registrations.gst,
    'contact', to_jsonb(contact)
  ) AS record
FROM orders.item
JOIN registry.company ON company.cin = item.identifier
JOIN orders.purchase ON purchase.order_id = item.order_id
JOIN access.account ON account.account_id = purchase.account_id
CROSS JOIN LATERAL registry.contact_of('company', company.cin, account.excludes_preferences) AS contact
-- A person may hold several offices in one company; the newest one determines the designation.
CROSS JOIN LATERAL (
  SELECT coalesce(jsonb_agg(jsonb_build_object(
      'DIN', office.din,
      'Name', office.full_name,
      'Designation', office.designation,
      'dateOfAppointment', office.appointed_on) ORDER BY office.din), '[]') AS directors
  FROM (
    SELECT DISTINCT ON (directorship.din)
           directorship.din, director.full_name, directorship.designation, directorship.appointed_on
    FROM registry.directorship
    LEFT JOIN registry.director ON director.din = directorship.din
    WHERE directorship.cin = company.cin AND directorship.ceased_on IS NULL AND directorship.closed_on IS NULL
      AND NOT access.suppressed('din', directorship.din)
    ORDER BY directorship.din, directorship.appointed_on DESC NULLS LAST, directorship.designation
  ) AS office
) AS board
-- The company register has no PAN, so a registration is only linked to the company if nothing contradicts it: the
-- legal name equals the company's whole name, legal form included (PVT LTD and (P) LTD count as PRIVATE LIMITED), in
-- the company's own state; the PAN is of the right kind (C for companies, F for LLPs); all such registrations share
-- one PAN; and no other company has the name, except one that has left the register or is listed as the company's own
-- former identifier. That PAN then adds the registrations in other states. No link is better than a wrong one.
CROSS JOIN LATERAL (
  SELECT regexp_replace(regexp_replace(regexp_replace(
    lower(company.name), '(\mpvt\.?|[(] *p[ .]*[)])(?=\s)', 'private'), '\mltd\.?$', 'limited'), '\mlimited liability partnership$', 'llp') AS name
) AS full_name
CROSS JOIN LATERAL (
  SELECT CASE WHEN count(DISTINCT namesake.pan) = 1 THEN min(namesake.pan) END AS pan
  FROM registry.gst_taxpayer AS namesake
  WHERE lower(namesake.legal_name) = ANY (ARRAY[
      full_name.name,
      replace(full_name.name, 'private limited', 'pvt ltd'),
      replace(full_name.name, 'private limited', 'pvt. ltd.'),
      replace(full_name.name, 'private limited', 'private ltd'),
      replace(full_name.name, 'private limited', '(p) ltd'),
      replace(full_name.name, 'private limited', '(p) ltd.'),
      replace(full_name.name, 'private limited', '(p) limited'),
      regexp_replace(full_name.name, '\mllp$', 'limited liability partnership'),
      regexp_replace(full_name.name, ' limited$', ' ltd')])
    AND substr(namesake.pan, 4, 1) IN ('C', 'F')
    AND substr(namesake.pan, 4, 1) = CASE company.company_type WHEN 'Company' THEN 'C' WHEN 'LLP' THEN 'F' END
    AND namesake.kind = 'normal' AND namesake.closed_on IS NULL
    AND namesake.state = company.state
    AND NOT EXISTS (
      SELECT FROM registry.company AS other
      WHERE other.name_key = company.name_key AND other.cin <> company.cin AND other.closed_on IS NULL
        AND other.company_type = company.company_type AND other.cin <> ALL (coalesce(company.previous_cins, '{}')))
) AS linked
CROSS JOIN LATERAL (
  SELECT coalesce(jsonb_agg(jsonb_build_object(
      'GSTIN', taxpayer.gstin,
      'LegalName', taxpayer.legal_name,
      'TradeName', taxpayer.trade_name,
      'Status', taxpayer.status,
      'state', taxpayer.state) ORDER BY taxpayer.gstin), '[]') AS gst
  FROM registry.gst_taxpayer AS taxpayer
  WHERE taxpayer.pan = linked.pan AND taxpayer.closed_on IS NULL
) AS registrations
WHERE item.item_id = ANY ($1::uuid[]) AND item.type = 'company'
