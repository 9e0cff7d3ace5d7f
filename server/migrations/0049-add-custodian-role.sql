-- A member who sees only the records that they keep.
alter table members drop constraint members_role_check;
alter table members add constraint members_role_check check (role in ('admin', 'member', 'viewer', 'custodian'));
alter table invitations drop constraint invitations_role_check;
alter table invitations add constraint invitations_role_check check (role in ('admin', 'member', 'viewer', 'custodian'));
create index records_of_keeper on custodian_permissions (org_id, user_id, envelope_id) where state in ('active', 'pending');
