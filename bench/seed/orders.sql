-- $1 orders of $2 leads each, of the newest account; the ids of the orders come back.
WITH buyer AS (SELECT account_id FROM access.account ORDER BY created_at DESC LIMIT 1),
placed AS (
  INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count, paid_at)
  SELECT account_id, 'bench ' || n, 'credits', 'completed', 'paid', $2::integer, $2::integer, now()
  FROM buyer, generate_series(1, $1::integer) AS n RETURNING order_id
), items AS (
  INSERT INTO orders.item (order_id, position, type, identifier, name, has_contact)
  SELECT order_id, n, 'company', 'U85100GA2022PTC' || lpad(n::text, 6, '0'), 'COMPANY ' || n, true
  FROM placed, generate_series(0, $2::integer - 1) AS n RETURNING item_id, order_id, position, identifier
), leads AS (
  INSERT INTO orders.lead (item_id, order_id, position, type, identifier, flat, full_data, registry_run_id)
  SELECT item_id, order_id, position, 'company', identifier,
    jsonb_build_object('Last_Name', 'SHARMA', 'Company', 'COMPANY NUMBER ' || position || ' TRADING PRIVATE LIMITED',
      'Email', 'office' || position || '@example.in', 'Mobile', '+91' || (9000000000 + position)::text, 'Phone', '+91832' || (2000000 + position)::text,
      'Website', 'https://example.in/company/' || position, 'Street', 'SHOP NO ' || position || ', FIRST FLOOR, COMMERCE HOUSE, 18TH JUNE ROAD',
      'City', 'Panaji', 'District', 'North Goa', 'State', 'Goa', 'Zip_Code', '403001', 'Country', 'India', 'Lead_Source', 'Panji', 'CIN', identifier,
      'companyType', 'Company', 'classOfCompany', 'Private', 'companyCategory', 'Company limited by shares',
      'companySubCategory', 'Non-government company', 'llpStatus', 'Active', 'Listed', 'Unlisted', 'dateOfIncorporation', '2022-03-04',
      'authorisedCapital', 1000000, 'paidUpCapital', 100000, 'ROCCode', 'ROC Goa', 'NICCode', 85100, 'NICDescription', 'Primary education',
      'mainDivision', '85', 'mainDivisionDescription', 'Education',
      'registeredAddress', 'SHOP NO ' || position || ', FIRST FLOOR, COMMERCE HOUSE, 18TH JUNE ROAD, PANAJI, NORTH GOA, GOA, 403001-India',
      'DirectorCount', 2, 'DirectorDINs', '00012345;00012346', 'DirectorNames', 'RAJESH KUMAR SHARMA;ASHA SHARMA',
      'GSTINs', '30AAACR5055K1ZM', 'GSTStates', 'Goa'),
    jsonb_build_object(
      'company', jsonb_build_object('CIN', identifier, 'companyName', 'COMPANY NUMBER ' || position || ' TRADING PRIVATE LIMITED',
        'companyType', 'Company', 'classOfCompany', 'Private', 'companyCategory', 'Company limited by shares', 'llpStatus', 'Active',
        'registeredAddress', 'SHOP NO ' || position || ', FIRST FLOOR, COMMERCE HOUSE, 18TH JUNE ROAD, PANAJI, NORTH GOA, GOA, 403001-India',
        'City', 'Panaji', 'State', 'Goa', 'Pincode', '403001', 'NICCode', 85100, 'NICDescription', 'Primary education'),
      'directors', jsonb_build_array(
        jsonb_build_object('DIN', '00012345', 'Name', 'RAJESH KUMAR SHARMA', 'Designation', 'Director', 'dateOfAppointment', '2022-03-04'),
        jsonb_build_object('DIN', '00012346', 'Name', 'ASHA SHARMA', 'Designation', 'Director', 'dateOfAppointment', '2022-03-04')),
      'gst', jsonb_build_array(jsonb_build_object('GSTIN', '30AAACR5055K1ZM', 'LegalName', 'COMPANY', 'TradeName', 'COMPANY', 'Status', 'Active', 'state', 'Goa')),
      'contacts', jsonb_build_array(
        jsonb_build_object('kind', 'email', 'value', 'office' || position || '@example.in', 'source', 'contacts', 'file', 'contacts.csv',
          'sha256', repeat('ab', 32), 'day', '2026-10-01', 'do_not_contact', false, 'preferences', '[]'::jsonb),
        jsonb_build_object('kind', 'mobile', 'value', '+91' || (9000000000 + position)::text, 'source', 'contacts', 'file', 'contacts.csv',
          'sha256', repeat('ab', 32), 'day', '2026-10-01', 'do_not_contact', false, 'preferences', '[]'::jsonb))), 7
  FROM items
)
SELECT order_id AS id FROM placed
