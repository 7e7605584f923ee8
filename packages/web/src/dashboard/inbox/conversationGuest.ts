import type { ConversationView } from "@trailbook/core/conversation/ConversationView"

/** Guest of a conversation. The name and ID can be missing. */
export const conversationGuest = ({ customer, from_email, from_name }: ConversationView) => {
  const name = customer?.name ?? from_name ?? ""
  const email = customer?.email ?? from_email ?? ""
  return { name: name || email || "Erased guest", email, phone: customer?.phone ?? "", isErased: email === "" }
}

/** Initials for the avatar. */
export const nameInitials = (name: string): string =>
  name.split(/\s+/u).filter((word) => word !== "").slice(0, 2).map((word) => [...word][0] ?? "").join("").toUpperCase()
