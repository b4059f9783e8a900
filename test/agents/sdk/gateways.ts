/** Models behind gateways: another path before the API's own, a host that nobody knows, and deployments as Azure has them. */
import OpenAI, { AzureOpenAI } from 'openai'

const messages = [{ role: 'user' as const, content: 'A poem about the two towns, please.' }]

async function ask(client: OpenAI, model: string): Promise<string | null> {
  const { choices } = await client.chat.completions.create({ model, messages })
  return choices[0]!.message.content
}

export async function run() {
  const gateway = process.env.GATEWAY_URL!
  return {
    gateway: await ask(new OpenAI({ baseURL: `${gateway}/team-7/openai/v1` }), 'gpt-4o'),
    unknown: await ask(new OpenAI({ baseURL: process.env.UNKNOWN_BASE_URL, apiKey: 'none' }), 'llama3'),
    azure: await ask(
      new AzureOpenAI({ endpoint: gateway, apiVersion: '2024-10-21', deployment: 'ours', apiKey: 'none' }),
      'gpt-4o',
    ),
  }
}
