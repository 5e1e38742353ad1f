package dev.weir.demo.server;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A handler with which the page can see, freeze, resume, kill and start the embedded Redis: {@code
 * GET /demo/redis}, {@code POST /demo/redis/kill} with {@code X-Weir-Demo: 1}, and so on. It is
 * outside the application, so a deployed WAR does not contain it.
 */
final class RedisControl extends Handler.Abstract {

  private static final String PATH = "/demo/redis";

  private final EmbeddedRedis redis;

  RedisControl(EmbeddedRedis redis) {
    this.redis = redis;
  }

  private enum Action {
    FREEZE {
      @Override
      void on(EmbeddedRedis redis) throws IOException {
        redis.freeze();
      }
    },
    RESUME {
      @Override
      void on(EmbeddedRedis redis) throws IOException {
        redis.resume();
      }
    },
    KILL {
      @Override
      void on(EmbeddedRedis redis) {
        redis.kill();
      }
    },
    START {
      @Override
      void on(EmbeddedRedis redis) throws IOException {
        redis.start();
      }
    };

    abstract void on(EmbeddedRedis redis) throws IOException;

    static Optional<Action> named(String name) {
      for (Action action : values()) {
        if (action.name().toLowerCase(Locale.ROOT).equals(name)) {
          return Optional.of(action);
        }
      }
      return Optional.empty();
    }
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    String path = Request.getPathInContext(request);
    if (!path.equals(PATH) && !path.startsWith(PATH + "/")) {
      return false;
    }
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    if (!LocalCaller.isTrusted(request)) {
      refuseCaller(response, callback);
    } else if (path.equals(PATH)) {
      show(request, response, callback);
    } else {
      act(request, path.substring(PATH.length() + 1), response, callback);
    }
    return true;
  }

  private void show(Request request, Response response, Callback callback) {
    if (HttpMethod.GET.is(request.getMethod())) {
      answer(HttpStatus.OK_200, "", response, callback);
    } else {
      refuseMethod(HttpMethod.GET, response, callback);
    }
  }

  private void act(Request request, String name, Response response, Callback callback) {
    Optional<Action> action = Action.named(name);
    if (action.isEmpty()) {
      answer(HttpStatus.NOT_FOUND_404, "expected: freeze, resume, kill, start", response, callback);
    } else if (HttpMethod.POST.is(request.getMethod())) {
      perform(action.get(), response, callback);
    } else {
      refuseMethod(HttpMethod.POST, response, callback);
    }
  }

  private void perform(Action action, Response response, Callback callback) {
    try {
      action.on(redis);
      answer(HttpStatus.OK_200, "", response, callback);
    } catch (IllegalStateException e) {
      answer(HttpStatus.CONFLICT_409, "Redis is stopped", response, callback);
    } catch (IOException e) {
      answer(HttpStatus.INTERNAL_SERVER_ERROR_500, "not done, see the log", response, callback);
      System.getLogger(RedisControl.class.getName())
          .log(System.Logger.Level.WARNING, "Redis: " + action, e);
    }
  }

  /** Reveals nothing about Redis. */
  private static void refuseCaller(Response response, Callback callback) {
    String json = "{\"problem\":\"from this machine's own page only\"}%n".formatted();
    write(HttpStatus.FORBIDDEN_403, json, response, callback);
  }

  private void refuseMethod(HttpMethod allowed, Response response, Callback callback) {
    response.getHeaders().put(HttpHeader.ALLOW, allowed.asString());
    answer(HttpStatus.METHOD_NOT_ALLOWED_405, "expected: " + allowed, response, callback);
  }

  /** Needs no escaping: every value is one of ours. */
  private void answer(int status, String problem, Response response, Callback callback) {
    String json =
        "{\"state\":\"%s\",\"version\":\"%s\",\"problem\":\"%s\"}%n"
            .formatted(redis.state(), redis.binary().version(), problem);
    write(status, json, response, callback);
  }

  private static void write(int status, String json, Response response, Callback callback) {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    Content.Sink.write(response, true, json, callback);
  }
}
