import type { ConversationView } from "@trailbook/core/conversation"
import { getGuestName, isErased } from "../bookings/bookingText.tsx"

/**
 * Returns the guest's display name and contact details. For a guest without a booking, the name and address come from
 * the question.
 */
export const getConversationGuest = ({ customer, from_email, from_name }: ConversationView) => {
  const name = customer?.name ?? from_name ?? ""
  const email = customer?.email ?? from_email ?? ""
  const guest = { name, email, phone: customer?.phone ?? "" }
  return { isErased: isErased(guest), ...guest, name: getGuestName(guest) }
}

export const getNameInitials = (name: string): string =>
  name.split(/\s+/u).filter((word) => word !== "").slice(0, 2).map((word) => [...word][0] ?? "").join("").toUpperCase()
