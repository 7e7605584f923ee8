import { migrate } from "@trailbook/postgres"
import * as Effect from "effect/Effect"
import { readFile } from "node:fs/promises"
import { Client } from "pg"
import type { Schema } from "../../../test/postgres/database.ts"

const script = new URL("../../../examples/deploy/partition.sql", import.meta.url)

/**
 * Runs the guide's script without `psql`. Fills in the script's variables and skips the lines that only `psql`
 * understands.
 */
export const partition = async (url: string, partitions: number): Promise<void> => {
  const lines = (await readFile(script, "utf8")).split("\n").filter((line) => !line.startsWith("\\"))
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      lines.join("\n").replaceAll(":'schema'", "'trailbook'").replaceAll(":'partitions'", `'${partitions}'`)
    )
  } finally {
    await client.end()
  }
}

/**
 * The empty tables, partitioned by outfitter. The script's default is 16 partitions. The tests use 3 partitions,
 * because each law copies all database files.
 */
export const partitionedSchema: Schema = {
  name: "partitioned",
  fill: async (url) => {
    await Effect.runPromise(migrate({ url }))
    await partition(url, 3)
  }
}
