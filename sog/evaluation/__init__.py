"""How strong an agent is: exploitability of a searching agent."""
