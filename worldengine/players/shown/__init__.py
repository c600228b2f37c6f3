"""What has been shown in an episode, cut up and kept so that looking back costs little."""
