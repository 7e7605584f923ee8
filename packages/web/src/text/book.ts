/** Words of the booking page. */
export const bookEnglish = {
  title: (org: string) => `Book with ${org}`,
  lead: "Choose what you would like to do.",
  nothing: "Nothing can be booked here at the moment."
}

export const bookSpanish: typeof bookEnglish = {
  title: (org) => `Reserve con ${org}`,
  lead: "Elija qué le gustaría hacer.",
  nothing: "De momento no se puede reservar nada aquí."
}
