export const path = '/api/crm/destinations/:destination_id'
