/** A Postgres database that the program has a pool for. */
export interface PostgresDatabase {
  /** A pool of `pg` 8.23 or later. It is used and never ended. */
  readonly pool: PgPool
  /** Where the tables are; `trailbook` when nothing is said. It is made when it is missing. */
  readonly schema?: string | undefined
  /** `false` behind a pooler in transaction mode that cannot follow prepared statements. */
  readonly prepare?: boolean | undefined
}

/** As much of `pg.Pool` as tells one. */
export interface PgPool {
  connect(): Promise<{ release(destroy?: boolean): void }>
  readonly totalCount: number
}

/** A database for the option `database`. */
export const postgres = (database: PostgresDatabase): PostgresDatabase => database
