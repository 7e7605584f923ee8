/** Returns an ID that was generated for a request before it was decided. */
export const requireGeneratedId = (id: string | undefined): string => {
  if (id === undefined) throw new Error("A request needs more ids than were drawn.")
  return id
}
