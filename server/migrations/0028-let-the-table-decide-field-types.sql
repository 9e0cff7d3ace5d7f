-- The types of fields are declared in one place, fields/src/types.ts, and every field is checked against it before it is stored. A second
-- list here would make each new type a migration.

alter table template_fields drop constraint template_fields_type_check;
alter table envelope_fields drop constraint envelope_fields_type_check;
