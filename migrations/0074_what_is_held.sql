-- The ledger of an account in a CRM is kept by what its records are there, since an org may hold the same leads as several kinds
-- of record: what was acknowledged as a Lead says nothing of an Account. Those of before are known by the fields that they hold.
ALTER TABLE deliver.destination ADD COLUMN verified_holds text NOT NULL DEFAULT '';

UPDATE deliver.destination d SET verified_holds = CASE
    WHEN EXISTS (SELECT FROM jsonb_object_keys(one.pushed_values) AS field WHERE field ~ '^(Account|Contact)[.]') THEN 'account/Panji_Id__c'
    ELSE 'lead/Panji_Id__c' END
FROM deliver.destination other
LEFT JOIN LATERAL (
  SELECT pushed_values FROM deliver.record WHERE destination_id = other.destination_id AND pushed_values IS NOT NULL LIMIT 1
) AS one ON true
WHERE d.destination_id = other.destination_id AND d.connector = 'salesforce' AND d.verified_account IS NOT NULL;
