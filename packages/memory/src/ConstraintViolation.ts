/**
 * Something that no database would have stored: a second row under a unique
 * key, or a row that refers to none. Core never writes such a thing, so it is a
 * defect and not an error.
 */
export class ConstraintViolation extends Error {
  override readonly name = "ConstraintViolation"
}
