-- Run once, by the first primary, as the superuser: Panji's login and its database (docs/deployment.md has one login for each process).
\getenv password PANJI_PASSWORD
CREATE ROLE panji LOGIN PASSWORD :'password' CREATEROLE CREATEDB;
GRANT SET ON PARAMETER session_replication_role TO panji;
CREATE DATABASE panji OWNER panji TEMPLATE template0 ENCODING 'UTF8';
