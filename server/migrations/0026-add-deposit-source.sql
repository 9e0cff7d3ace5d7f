-- How a signed original came into the vault: as a scan of paper, or as a file that was signed elsewhere. It was read back from the data of
-- an audit entry, which can be erased; as a column it stays with the envelope.

alter table envelopes add column deposit_source text
  constraint deposit_source_known check (deposit_source in ('paper_upload', 'electronic_signed'));

-- What its depositor said is in the entry that completed it; where that is erased, the stored copy has it.
update envelopes e set deposit_source = coalesce(
  (select d.data ->> 'source' from audit_entries a join audit_entry_data d using (org_id, subject, seq)
   where a.org_id = e.org_id and a.subject = e.envelope_id and a.type = 'envelope.completed'
     and d.data ->> 'source' in ('paper_upload', 'electronic_signed')
   order by a.seq desc limit 1),
  (select c.source from authoritative_copies c
   where c.org_id = e.org_id and c.envelope_id = e.envelope_id and c.vault_in = 'upload'))
where e.is_upload and e.submission_id is null and e.status in ('completed', 'vaulted');

grant update (deposit_source) on envelopes to countersign_app;
