-- Partitions the tables of a Trailbook database by outfitter. Stop all servers and workers first, and make a backup.
-- Run it as the role that owns the tables:
--   psql "$TRAILBOOK_DATABASE" -v schema=trailbook -v partitions=16 -f partition.sql
-- It runs in one transaction, needs free disk space for a second copy of the data, and skips partitioned tables.
\set ON_ERROR_STOP on
\if :{?schema} \else \set schema trailbook \endif
\if :{?partitions} \else \set partitions 16 \endif

begin;
select set_config('partitioning.schema', :'schema', true), set_config('partitioning.count', :'partitions', true),
  set_config(:'schema' || '.orgs', '*', true);

do $$
declare
  in_schema constant text := current_setting('partitioning.schema');
  partitions constant int := current_setting('partitioning.count')::int;
  -- Small tables that Trailbook reads by a secret or an ID before it knows the outfitter. Their IDs must be unique
  -- across all outfitters, and a unique key of a partitioned table cannot guarantee that.
  lookups constant text[] := array[
    'api_keys', 'grant_codes', 'grant_tokens', 'logins', 'passkeys', 'payment_connections', 'sign_in_links', 'webhooks'
  ];
  one record;
  step text;
  later text[] := '{}';
begin
  create temporary table chosen on commit drop as
    select c.oid, c.relname as name, format('%I.%I', in_schema, c.relname) as qualified, c.reloptions
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
    where c.relnamespace = in_schema::regnamespace and c.relkind = 'r' and not c.relispartition
      and c.relname <> all (lookups);

  -- Foreign keys from and to these tables are created again at the end.
  for one in
    select conname, conrelid::regclass as of_table, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and (conrelid in (select oid from chosen) or confrelid in (select oid from chosen))
  loop
    later := later || format('alter table %s add constraint %I %s', one.of_table, one.conname, one.definition);
    execute format('alter table %s drop constraint %I', one.of_table, one.conname);
  end loop;

  for one in select * from chosen order by oid loop
    -- Keys and indexes in order of age, because the planner prefers the older one of two equally good indexes.
    declare
      after_copy text[] := array(
        select case
          when con.oid is not null
            then format('alter table %s add constraint %I %s', one.qualified, con.conname, pg_get_constraintdef(con.oid))
          -- A random token needs no global uniqueness. `org_id` comes last, so the index still finds a token.
          when i.indisunique and pg_get_indexdef(i.indexrelid) !~ '\morg_id\M'
            then regexp_replace(pg_get_indexdef(i.indexrelid), 'USING btree \(([^()]*)\)', 'USING btree (\1, org_id)')
          else pg_get_indexdef(i.indexrelid)
        end
        from pg_index i left join pg_constraint con on con.conindid = i.indexrelid and con.contype in ('p', 'u')
        where i.indrelid = one.oid order by i.indexrelid
      ) || array(
        select format('create policy %I on %s using (%s)', polname, one.qualified, pg_get_expr(polqual, polrelid))
        from pg_policy where polrelid = one.oid
      ) || array(
        select pg_get_triggerdef(oid) from pg_trigger where tgrelid = one.oid and not tgisinternal order by oid
      ) || array(
        select format('grant %s on %s to %s', g.privilege_type, one.qualified,
          case when g.grantee = 0 then 'public' else g.grantee::regrole::text end)
        from pg_class c, aclexplode(c.relacl) g where c.oid = one.oid and g.grantee <> c.relowner
      );
      options constant text := coalesce(' with (' || array_to_string(one.reloptions, ', ') || ')', '');
    begin
      execute format('alter table %s rename to %I', one.qualified, one.name || '_whole');
      execute format('create table %s (like %I.%I including all excluding indexes) partition by hash (org_id)',
        one.qualified, in_schema, one.name || '_whole');
      for part in 0..partitions - 1 loop
        execute format('create table %I.%I partition of %s for values with (modulus %s, remainder %s)%s',
          in_schema, one.name || '_' || part, one.qualified, partitions, part, options);
      end loop;
      execute format('insert into %s overriding system value select * from %I.%I',
        one.qualified, in_schema, one.name || '_whole');
      execute format('drop table %I.%I', in_schema, one.name || '_whole');
      foreach step in array after_copy loop
        execute step;
      end loop;
      execute format('alter table %s enable row level security', one.qualified);
      execute format('alter table %s force row level security', one.qualified);
      later := later || format('analyze %s', one.qualified);
    end;
  end loop;

  foreach step in array later loop
    execute step;
  end loop;
end $$;
commit;
