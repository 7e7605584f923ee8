import type { ConversationView } from "@trailbook/core/conversation/ConversationView"

/** Display name and contact details of the guest. Guests without a booking are known only from their question. */
export const conversationGuest = ({ customer, from_email, from_name }: ConversationView) => {
  const name = customer?.name ?? from_name ?? ""
  const email = customer?.email ?? from_email ?? ""
  return { name: name || email || "Erased guest", email, phone: customer?.phone ?? "", isErased: email === "" }
}

/** Initials for the avatar. */
export const nameInitials = (name: string): string =>
  name.split(/\s+/u).filter((word) => word !== "").slice(0, 2).map((word) => [...word][0] ?? "").join("").toUpperCase()
