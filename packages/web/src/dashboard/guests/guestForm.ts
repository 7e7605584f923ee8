import type { CustomerView } from "@trailbook/core/customer/CustomerView"
import type { Form } from "@trailbook/http/form"
import * as Effect from "effect/Effect"
import { metadataIn, typedMetadata } from "../parts/metadata.ts"

/** Guest as form values. */
export const typedGuest = ({ metadata, name, notes, phone }: CustomerView): Record<string, string> => ({
  name,
  phone,
  notes,
  metadata: typedMetadata(metadata)
})

/** Submitted fields as operation input. `counts` selects the values that are used. */
export const guestIn = (form: Form, counts: (typed: string) => boolean = () => true) =>
  Effect.map(metadataIn(form), (metadata) => {
    const { metadata: kept, name, notes, phone } = form
    return {
      ...(name !== undefined && counts(name) ? { name } : {}),
      ...(phone !== undefined && counts(phone) ? { phone } : {}),
      ...(notes !== undefined && counts(notes) ? { notes } : {}),
      ...(kept !== undefined && counts(kept) ? { metadata } : {})
    }
  })

/**
 * Submitted fields for a guest who may already exist. Empty fields are omitted, so that they do not overwrite stored
 * values.
 */
export const givenIn = (form: Form) => guestIn(form, (typed) => typed.trim() !== "")
