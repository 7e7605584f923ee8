import type { ConversationView } from "@trailbook/core/conversation/ConversationView"
import { guestName, isErased } from "../bookings/facts.tsx"

/**
 * Returns the display name and contact details of the guest. A guest without a booking is known only from the question.
 */
export const conversationGuest = ({ customer, from_email, from_name }: ConversationView) => {
  const name = customer?.name ?? from_name ?? ""
  const email = customer?.email ?? from_email ?? ""
  const guest = { name, email, phone: customer?.phone ?? "" }
  return { ...guest, name: guestName(guest), isErased: isErased(guest) }
}

/** Returns the initials for the avatar. */
export const nameInitials = (name: string): string =>
  name.split(/\s+/u).filter((word) => word !== "").slice(0, 2).map((word) => [...word][0] ?? "").join("").toUpperCase()
