"""GitHub: which accounts wrote the commits, what their profiles declare, who reviewed what.

GraphQL in bulk; REST for the two things that GraphQL has not: an account by its number, and the
organisations that somebody is publicly in. No email is asked for, and none that is sent is kept.
"""
