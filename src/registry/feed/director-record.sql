SELECT r.din AS "DIN", r.first_name AS "firstName", r.middle_name AS "middleName", r.last_name AS "lastName",
       r.full_name AS "fullName", to_char(page.registered_on, 'YYYY-MM-DD"T"HH24:MI:SS') AS "DINApprovalDate",
       r.status AS "DINStatus", r.disqualified AS "directorDisqualified", r.district, r.state,
       r.pincode AS "postalCode", r.country
FROM page JOIN registry.director r ON r.din = page.identifier
ORDER BY page.registered_on DESC, page.identifier
