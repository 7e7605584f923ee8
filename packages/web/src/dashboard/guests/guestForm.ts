import type { CustomerView } from "@trailbook/core/customer/CustomerView"
import type { Form } from "@trailbook/http/form"
import * as Effect from "effect/Effect"
import { metadataIn, typedMetadata } from "../parts/metadata.ts"

/** A guest as the form shows them. */
export const typedGuest = ({ metadata, name, notes, phone }: CustomerView): Record<string, string> => ({
  name,
  phone,
  notes,
  metadata: typedMetadata(metadata)
})

/** What was typed, as the operations take it: the fields that were sent and count. */
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

/** The same of somebody who may be known: what was left empty says nothing. */
export const givenIn = (form: Form) => guestIn(form, (typed) => typed.trim() !== "")
