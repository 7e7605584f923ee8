// Detects unsaved input, which a refresh must keep.

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const fields = "input, select, textarea"

export const isField = (node: Node): node is Field => node instanceof Element && node.matches(fields)

const isChanged = (field: Field): boolean => {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options]
    // Browsers select the first option if none is marked as selected.
    return options.some(({ defaultSelected }) => defaultSelected)
      ? options.some(({ defaultSelected, selected }) => selected !== defaultSelected)
      : !field.multiple && field.selectedIndex > 0
  }
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked
  if (field.type === "file") return (field.files?.length ?? 0) > 0
  return field.type !== "hidden" && field.value !== field.defaultValue
}

const isInHand = (field: Field): boolean => field === document.activeElement || isChanged(field)

/**
 * Whether the field's form has the focus or unsaved input. A refresh keeps all fields in such a form, even hidden ones,
 * because they must remain consistent with each other.
 */
export const isActiveForm = (field: Field): boolean =>
  field.form === null ? isInHand(field) : [...field.form.elements].some((one) => isField(one) && isInHand(one))

/** Whether removing the node would lose unsaved input. */
export const hasUnsavedInput = (node: Node): boolean =>
  isField(node)
    ? isInHand(node)
    : node instanceof Element && [...node.querySelectorAll<Field>(fields)].some(isInHand)
