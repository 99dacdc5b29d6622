SELECT r.gstin AS "GSTIN", r.trade_name AS "TradeName", r.legal_name AS "LegalName", r.status AS "Status",
       r.taxpayer_type AS "TaxpayerType", r.constitution AS "ConstitutionBusiness",
       to_char(page.registered_on, 'YYYY-MM-DD"T"HH24:MI:SS') AS "DateOfRegistration",
       r.core_business AS "COREBUSINESS", r.business_activities AS "BusinessActivities",
       r.city, r.district, r.state, r.pincode
FROM page JOIN registry.gst_taxpayer r ON r.gstin = page.identifier
ORDER BY page.registered_on DESC, page.identifier
