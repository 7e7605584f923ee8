import type { FieldProps } from "../../ui/Field.tsx"

/**
 * One of a few, named by what is sent.
 *
 * @category views
 */
export const Select = (
  { error, hint, label, name, optional, options, value }: FieldProps & {
    readonly options: ReadonlyArray<readonly [value: string, label: string]>
  }
) => {
  const ids = [...hint === undefined ? [] : [`${name}-hint`], ...error === undefined ? [] : [`${name}-error`]]
  return (
    <div class="field">
      <label for={name}>
        {label}
        {optional !== undefined && <span class="hint">{` (${optional})`}</span>}
      </label>
      {hint !== undefined && <span class="hint" id={`${name}-hint`}>{hint}</span>}
      {error !== undefined && <span class="bad" id={`${name}-error`}>{error}</span>}
      <select
        name={name}
        id={name}
        aria-invalid={error === undefined ? undefined : "true"}
        aria-describedby={ids.length === 0 ? undefined : ids.join(" ")}
      >
        {options.map(([one, words]) => <option key={one} value={one} selected={one === value}>{words}</option>)}
      </select>
    </div>
  )
}
