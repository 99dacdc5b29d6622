SELECT r.cin AS "CIN", r.name AS company,
       to_char(page.registered_on, 'YYYY-MM-DD"T"HH24:MI:SS') AS "dateOfIncorporation",
       r.company_type AS "companyType", r.class AS "classOfCompany", r.category AS "companyCategory",
       r.main_division AS "mainDivision", r.main_division_description AS "mainDivisionDescription",
       r.city, r.district, r.state, r.pincode
FROM page JOIN registry.company r ON r.cin = page.identifier
ORDER BY page.registered_on DESC, page.identifier
