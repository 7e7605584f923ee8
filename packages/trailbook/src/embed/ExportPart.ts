import type { OrgExport } from "@trailbook/client/operations"

/**
 * A part of an export. It contains some rows of a list, or the value of another field. Parts arrive in field order, and
 * rows arrive in list order.
 */
export type ExportPart = {
  readonly [Name in keyof OrgExport]: OrgExport[Name] extends ReadonlyArray<infer Row>
    ? { readonly name: Name; readonly rows: ReadonlyArray<Row> }
    : { readonly name: Name; readonly value: OrgExport[Name] }
}[keyof OrgExport]
