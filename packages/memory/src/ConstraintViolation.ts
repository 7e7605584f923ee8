/**
 * A write that a database would reject: a duplicate unique key, or a reference to a missing row. Core never makes such
 * writes, so it is a defect and not an error.
 */
export class ConstraintViolation extends Error {
  override readonly name = "ConstraintViolation"
}
