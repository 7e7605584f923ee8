import type { OrgExport } from "@trailbook/client/operations"

/**
 * A part of an export: some rows of one of its lists, or one of its other fields.
 * The parts come in the order of the fields, and a list's rows in theirs.
 */
export type ExportPart = {
  readonly [Name in keyof OrgExport]: OrgExport[Name] extends ReadonlyArray<infer Row>
    ? { readonly name: Name; readonly rows: ReadonlyArray<Row> }
    : { readonly name: Name; readonly value: OrgExport[Name] }
}[keyof OrgExport]
