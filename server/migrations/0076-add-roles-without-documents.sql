alter table members drop constraint members_role_check;
alter table members add constraint members_role_check
  check (role in ('admin', 'member', 'viewer', 'custodian', 'security_admin', 'auditor'));
alter table invitations drop constraint invitations_role_check;
alter table invitations add constraint invitations_role_check
  check (role in ('admin', 'member', 'viewer', 'custodian', 'security_admin', 'auditor'));
