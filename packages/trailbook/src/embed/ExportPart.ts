import type { OrgExport } from "@trailbook/client/operations"

/**
 * A part of an export. It contains some rows of a list, or another field. Parts arrive in the order of the fields, and
 * rows in the order of their list.
 */
export type ExportPart = {
  readonly [Name in keyof OrgExport]: OrgExport[Name] extends ReadonlyArray<infer Row>
    ? { readonly name: Name; readonly rows: ReadonlyArray<Row> }
    : { readonly name: Name; readonly value: OrgExport[Name] }
}[keyof OrgExport]
