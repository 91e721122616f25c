import { type SubmitEvent, useState } from 'react'
import { createRoot } from 'react-dom/client'

// A minimal login in React: native fields, one call that opens a session, one that reads its user, and a second
// screen. It has no styles, validation or routes.

function App() {
  const [name, setName] = useState<string | null>(null)
  return name === null ? <LoginForm onName={setName} /> : <Home name={name} />
}

function LoginForm({ onName }: { onName: (name: string) => void }) {
  const [failure, setFailure] = useState('')

  const logIn = async (fields: FormData) => {
    const response = await fetch('/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(fields)),
    })
    if (!response.ok) {
      setFailure('Invalid credentials')
      return
    }
    const { token } = (await response.json()) as { token: string }
    localStorage.setItem('token', token)
    const me = await fetch('/me/database', { headers: { authorization: `Bearer ${token}` } })
    onName(((await me.json()) as { name: string }).name)
  }

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void logIn(new FormData(event.currentTarget))
  }

  return (
    <form onSubmit={submit}>
      <h1>Login</h1>
      <input name="username" aria-label="Username" autoComplete="username" required />
      <input name="password" aria-label="Password" type="password" autoComplete="current-password" required />
      <button type="submit">Login</button>
      <p role="alert">{failure}</p>
    </form>
  )
}

function Home({ name }: { name: string }) {
  return (
    <main>
      <h1>Welcome, {name}</h1>
    </main>
  )
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
