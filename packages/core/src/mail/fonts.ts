/** The fonts of all emails: the system fonts of the device. */
export const fonts = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
