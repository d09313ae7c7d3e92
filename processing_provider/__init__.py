"""The Processing side: parameters in, one call of the core, sinks out."""
