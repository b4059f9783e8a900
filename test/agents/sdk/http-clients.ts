/** Tools over plain HTTP, one with each of the clients that agents use; a town that is not there, and a second try. */
import { get } from 'node:http'
import axios from 'axios'
import got from 'got'
import nodeFetch from 'node-fetch'
import { request } from 'undici'

const url = (city: string) => `${process.env.WEATHER_URL}/now?city=${city}`

type Ask = (city: string) => Promise<unknown>

const clients: Record<string, Ask> = {
  fetch: async city => (await fetch(url(city))).json(),
  axios: async city => (await axios.get(url(city))).data,
  got: async city => got(url(city), { retry: { limit: 0 } }).json(),
  nodeFetch: async city => (await nodeFetch(url(city))).json(),
  undici: async city => (await request(url(city))).body.json(),
  get: city =>
    new Promise((done, failed) => {
      get(url(city), response => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', part => (text += part))
          .on('end', () => done(JSON.parse(text)))
      }).on('error', failed)
    }),
}

export async function run(city: string) {
  const seen: Record<string, unknown> = {}
  for (const [name, ask] of Object.entries(clients)) seen[name] = await ask(city)
  const errors: Record<string, unknown> = {}
  for (const name of ['axios', 'got'])
    errors[name] = await clients[name]!('Atlantis').catch(error => `${error.name}: ${error.message}`)
  return { seen, errors }
}
