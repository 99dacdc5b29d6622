-- $1 ids of order items. One record per director item: the person, current and past offices, and contacts. Offices
-- are ordered so that the first one of a company is the newest.
SELECT item.item_id AS "itemId", item.position, item.type, item.identifier, director.last_run_id AS "registryRunId",
  jsonb_build_object(
    'company', NULL,
    'directors', jsonb_build_array(jsonb_build_object(/* fields */, 'companies', offices.companies)),
    'gst', '[]'::jsonb,
    'contact', to_jsonb(contact)
  ) AS record
FROM orders.item
JOIN registry.director ON director.din = item.identifier
JOIN orders.purchase ON purchase.order_id = item.order_id
JOIN access.account ON account.account_id = purchase.account_id
CROSS JOIN LATERAL registry.contact_of('director', director.din, account.excludes_preferences) AS contact
CROSS JOIN LATERAL (
  SELECT coalesce(jsonb_agg(jsonb_build_object(
      'CIN', directorship.cin,
      'companyName', company.name,
      'Designation', directorship.designation,
      'dateOfAppointment', directorship.appointed_on,
      'dateOfCessation', directorship.ceased_on)
    ORDER BY directorship.cin, directorship.appointed_on DESC NULLS LAST, directorship.designation), '[]') AS companies
  FROM registry.directorship
  LEFT JOIN registry.company ON company.cin = directorship.cin
  WHERE directorship.din = director.din AND directorship.closed_on IS NULL
) AS offices
WHERE item.item_id = ANY ($1::uuid[]) AND item.type = 'director' AND NOT access.suppressed('din', director.din)
