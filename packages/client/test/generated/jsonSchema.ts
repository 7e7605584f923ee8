/** The JSON Schema keywords that the API description uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<unknown>
  /** Exactly one field of each group is required. */
  readonly allOf?: ReadonlyArray<{ readonly oneOf: ReadonlyArray<{ readonly required: ReadonlyArray<string> }> }>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
}
