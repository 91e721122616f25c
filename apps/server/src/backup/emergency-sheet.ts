import { pult } from '#platform/program-name.ts'

/** Returns a page to print, with everything that a restore on an empty machine needs. */
export function emergencySheet(facts: {
  identity: string
  recipient: string
  /** The fingerprint of the installation's signer. */
  signer: string
  publicUrl: string
  folder: string
  createdAt: Date
}): string {
  const { identity, recipient, signer, publicUrl, folder, createdAt } = facts
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Emergency sheet of Pult</title>
<style>
  body { max-width: 42rem; margin: 2rem auto; font: 1rem/1.5 sans-serif; color: #000; background: #fff }
  code { font: 1rem/1.5 monospace; overflow-wrap: anywhere }
  pre { padding: 1rem; border: 1px solid #000; white-space: pre-wrap; overflow-wrap: anywhere }
</style>
<h1>Emergency sheet of Pult</h1>
<p>Print this page, keep it in a safe place, and delete the file. Anyone with the private key can read every backup. Without
it no backup can be restored.</p>
<p>Installation: <code>${escaped(publicUrl)}</code><br>Made: ${createdAt.toISOString().slice(0, 10)}</p>
<h2>Private key</h2>
<pre>${escaped(identity)}
${escaped(signer)}</pre>
<p>The first line opens backups that were made for <code>${escaped(recipient)}</code>. The second line proves that this
installation made them. A restore needs both.</p>
<h2>Backups</h2>
<pre>${escaped(folder)}</pre>
<h2>Restore</h2>
<ol>
  <li>Install the version of Pult that made the backup, or a later one.</li>
  <li>Write both lines of the private key into a file, for example <code>key.txt</code>.</li>
  <li>Copy the folder of the backups to the machine.</li>
  <li>Run the command, and start the server afterwards:</li>
</ol>
<pre>${escaped(pult('restore FOLDER/archives/NEWEST.pult --identity key.txt'))}</pre>
</html>
`
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
