/** Check box. */
export const Check = (
  { checked, hint, label, name, required }: {
    readonly name: string
    readonly label: string
    readonly checked: boolean
    readonly hint?: string | undefined
    readonly required?: boolean
  }
) => (
  <div class="check">
    <input
      type="checkbox"
      id={name}
      name={name}
      value="on"
      checked={checked}
      required={required}
      aria-describedby={hint === undefined ? undefined : `${name}-hint`}
    />
    <div>
      <label for={name}>{label}</label>
      {hint !== undefined && <p class="hint" id={`${name}-hint`}>{hint}</p>}
    </div>
  </div>
)
