/**
 * Advances Postgres's clock, which all servers use. A test schema, which precedes `pg_catalog` in the search path,
 * replaces the clock functions.
 */
import { Client } from "pg"
import type { PostgresTarget, Target } from "../reliability/Target.ts"

const isPostgres = (target: Target): target is PostgresTarget => "postgres" in target

export const databaseAhead = async (target: Target, millis: number): Promise<void> => {
  if (!isPostgres(target)) return
  const client = new Client({ connectionString: target.postgres.url("trailbook") })
  await client.connect()
  const clock = (name: string, volatility: string) =>
    `create or replace function ahead.${name}() returns timestamptz language sql ${volatility}
      as $$ select pg_catalog.${name}() + interval '${millis} milliseconds' $$`
  try {
    await client.query("create schema if not exists ahead")
    await client.query("grant usage on schema ahead to trailbook")
    await client.query(clock("clock_timestamp", "volatile"))
    await client.query(clock("statement_timestamp", "stable"))
    await client.query("alter role trailbook set search_path = ahead, pg_catalog, public")
  } finally {
    await client.end()
  }
}
