interface Policy {
  createScriptURL: (url: string) => string
}

declare global {
  interface Window {
    /** Absent in browsers without Trusted Types. */
    trustedTypes?: { createPolicy: (name: string, rules: Policy) => Policy }
  }
}

/** The one policy that the Content-Security-Policy names: addresses of our own scripts, and nothing else. */
const policy: Policy = { createScriptURL: ownScript }
const enforced = window.trustedTypes?.createPolicy('pult', policy) ?? policy

/** A path of this origin, fit for places that load code from an address. */
export function scriptUrl(path: string): string {
  return enforced.createScriptURL(path)
}

function ownScript(path: string): string {
  if (new URL(path, location.origin).origin !== location.origin)
    throw new TypeError(`${path} is not our script`)
  return path
}
