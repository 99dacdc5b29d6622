-- The view shows whom its reader may see, and not whom its owner may.
ALTER VIEW ledger.entry SET (security_invoker = true);
