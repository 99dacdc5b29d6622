-- What decides whether account $1 can place an order, read before anything is written: its plan, its credits, its
-- budget of unknown items ($5, the kind of the budget), which of the records ($2 types, $3 identifiers) it bought
-- within $4 days, which of them the registers hold, and which of those are inactive. No row for an erased account.
-- Each register is read once for all items, by its primary key.
SELECT account.*, budget.*, credit.balance,
       ARRAY(SELECT place::integer FROM orders.owned_items($1, $2, $3, $4, false) AS place) AS owned,
       record.known, record.inactive
FROM (/* account */) AS account, (/* budget */) AS budget, (/* credit */) AS credit, LATERAL (
         SELECT array_agg(/* known */ ORDER BY item.position) AS known,
                array_agg(/* inactive */ ORDER BY item.position) AS inactive
         FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS item (type, identifier, position)
         /* registers */
     ) AS record
