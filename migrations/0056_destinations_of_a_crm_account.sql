-- Each lead is compared with what other destinations into the same account of the CRM delivered (deliver.held_by_others).

CREATE INDEX destination_crm_account ON deliver.destination (connector, verified_account) WHERE verified_account IS NOT NULL;
