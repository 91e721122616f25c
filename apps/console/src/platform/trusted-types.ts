interface Policy {
  createScriptURL: (url: string) => string
}

declare global {
  interface Window {
    /** Absent in browsers without Trusted Types. */
    trustedTypes?: { createPolicy: (name: string, rules: Policy) => Policy }
  }
}

/** The only policy that the Content-Security-Policy allows: URLs of the console's own scripts. */
const policy: Policy = { createScriptURL: ownScript }
const enforced = window.trustedTypes?.createPolicy('pult', policy) ?? policy

/** A path of this origin for sinks that load code from a URL. */
export function scriptUrl(path: string): string {
  return enforced.createScriptURL(path)
}

function ownScript(path: string): string {
  if (new URL(path, location.origin).origin !== location.origin)
    throw new TypeError(`${path} is not a script of the console`)
  return path
}
