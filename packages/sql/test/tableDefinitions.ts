import type { ColumnKind, Columns } from "@trailbook/sql/Columns"
import { readdirSync } from "node:fs"

export interface TableDefinition {
  readonly name: string
  readonly key: ReadonlyArray<string>
  readonly columns: ReadonlyArray<{ readonly column: string; readonly kind: ColumnKind; readonly isNullable: boolean }>
}

interface Definition {
  readonly name: string
  readonly key: ReadonlyArray<string>
  readonly columns: Columns
}

const folder = new URL("../src/table/", import.meta.url)

/** Loads every table definition in the folder. */
export const tableDefinitions = async (): Promise<ReadonlyArray<TableDefinition>> => {
  const files = readdirSync(folder).filter((file) => /Tables?\.ts$/.test(file))
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, folder).href) as Promise<Readonly<Record<string, unknown>>>)
  )
  const definitions = modules.flatMap((module) => Object.values(module)).filter(isDefinition)
  if (definitions.length < files.length) throw new Error("A file without a table definition is in the folder.")
  return definitions.map(({ columns, key, name }) => ({
    name,
    key,
    columns: Object.entries(columns).map(([column, kind]) => ({
      column,
      kind: kind.replace("?", "") as ColumnKind,
      isNullable: kind.endsWith("?")
    }))
  }))
}

const isDefinition = (value: unknown): value is Definition =>
  typeof value === "object" && value !== null && "columns" in value && "key" in value && "name" in value
