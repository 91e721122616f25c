/** The cause of an answer that the server does not send: a redirect or a page for a sign-in, an error page. */
export const proxyAnswer = (status: number): string => `a proxy in front of it answers with status ${status}`
