// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/capture_beside.h"

#include "models/cache/cache_controller.h"
#include "models/provider/evidence_controller.h"
#include "models/provider/provider_controller.h"
#include "models/provider/statement_controller.h"
#include "models/workspace/workspace.h"
#include "ui/pages/provider/provider_page.h"
#include "ui/pages/provider/statement_view.h"
#include "ui/window/main_window.h"

#include <QAbstractItemView>
#include <QCoreApplication>
#include <QDialog>
#include <QLineEdit>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

using FindDialog = std::function<QDialog *()>;

FindDialog dialogOf(const ui::MainWindow &window, const QString &name)
{
    return [window = &window, name] { return window->findChild<QDialog *>(name); };
}

void clickIn(const FindDialog &find, const QString &name)
{
    if (QDialog *dialog = find()) {
        dialog->findChild<QPushButton *>(name)->click();
    }
}

/// The wizard, from the page to the comparison.
void addWizardStops(CaptureScript &script, ui::MainWindow &window, const QString &suffix)
{
    const FindDialog find = dialogOf(window, u"statementWizard"_s);
    const auto shown = [find] { return static_cast<QWidget *>(find()); };
    script.add({ u"provider-file"_s + suffix, [page = &window] { page->providerPage()->import(); },
        [find] { return find() != nullptr; }, shown });
    script.add({ u"provider-columns"_s + suffix, [find] { clickIn(find, u"statementWizardGo"_s); },
        [find] {
            const auto *lines
                = find() != nullptr ? find()->findChild<QAbstractItemView *>(u"statementPreview"_s) : nullptr;
            return lines != nullptr && lines->model()->rowCount() > 0
                && find()->findChild<QPushButton *>(u"statementWizardGo"_s)->isEnabled();
        },
        shown });
    script.add({ {}, [find] { clickIn(find, u"statementWizardGo"_s); }, [find] { return find() == nullptr; }, {} });
}

} // namespace

void addCacheStops(CaptureScript &script, ui::MainWindow &window, const QString &suffix)
{
    ui::MainWindow *shown = &window;
    script.add({ u"cache"_s + suffix,
        [shown] {
            shown->showPage(u"cache"_s);
            shown->findChild<QPushButton *>(u"cacheCompare"_s)->click();
        },
        [shown] { // without redis-server there is nothing to compare
            const bool asked = shown->findChild<QPushButton *>(u"cacheCompare"_s)->isEnabled();
            return !shown->cache()->busy() && (shown->cache()->report() || !asked);
        },
        [shown] { return static_cast<QWidget *>(shown); } });
}

void addProviderStops(CaptureScript &script, ui::MainWindow &window, const QString &suffix)
{
    ui::MainWindow *shown = &window;
    const auto whole = [shown] { return static_cast<QWidget *>(shown); };
    const auto *provider = window.workspace()->provider();
    script.add({ u"provider"_s + suffix,
        [shown] {
            shown->showPage(u"provider"_s);
            shown->providerPage()->showTab(u"open"_s);
        },
        [provider] { return provider->loaded() && !provider->busy(); }, whole });
    script.add({ u"provider-no-statement"_s + suffix,
        [shown] {
            shown->statement()->forget();
            shown->providerPage()->showTab(u"statement"_s);
        },
        {}, whole });
    addWizardStops(script, window, suffix);
    script.add({ u"provider-statement"_s + suffix, {},
        [shown] { return shown->statement()->result() != nullptr && !shown->statement()->busy(); }, whole });
    const FindDialog record = dialogOf(window, u"evidenceDialog"_s);
    script.add({ u"provider-evidence"_s + suffix,
        [shown, record] {
            shown->providerPage()->statementView()->askRecord();
            if (QDialog *dialog = record()) {
                dialog->findChild<QLineEdit *>(u"evidenceReason"_s)
                    ->setText(QCoreApplication::translate("Demo", "Statement of the last day"));
            }
        },
        [record] { return record() != nullptr; }, [record] { return static_cast<QWidget *>(record()); } });
    const auto *evidence = window.workspace()->evidence();
    script.add({ u"provider-recorded"_s + suffix, [record] { clickIn(record, u"evidenceGo"_s); },
        [shown, evidence] { return evidence->recorded(shown->statement()->result()).has_value(); }, whole });
}

} // namespace idemdesk::app
